// Layout faults of a page as it is currently shown: content that is clipped, covered or outside the view.

/** Returns descriptions of at most eight faults. */
export const geometryFaults = (page) => page.evaluate(() => {
  const found = [];
  const says = (element) => `${element.tagName.toLowerCase()}.${String(element.className?.baseVal ?? element.className).split(' ')[0]} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}"`;
  const isShown = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && element.getBoundingClientRect().width > 0;
  const inScroller = (element) => element.closest('.table-wrap, .matrix-box, .list-box, pre, .copy-line, .rail, .column, .test-choice, .script-editor, .offscreen, .minimap');
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')].filter(isShown);
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    if (!inScroller(control) && (box.left < -1 || box.right > innerWidth + 1) && !control.matches('.skip')) found.push(`outside the view: ${says(control)}`);
    if (control.tagName === 'BUTTON' && control.scrollWidth > control.clientWidth + 2 && getComputedStyle(control).overflowX === 'visible' && !control.closest('.cell-box')) found.push(`text wider than its button: ${says(control)}`);
  }
  const main = controls.filter((control) => control.closest('#content') && !inScroller(control));
  for (let i = 0; i < main.length; ++i) for (let j = i + 1; j < Math.min(main.length, i + 40); ++j) {
    if (main[i].contains(main[j]) || main[j].contains(main[i])) continue;
    const a = main[i].getBoundingClientRect(), b = main[j].getBoundingClientRect();
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left), height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 3 && height > 3) found.push(`overlap: ${says(main[i])} and ${says(main[j])}`);
  }
  return [...new Set(found)].slice(0, 8);
});
