// The paths of every page and view, and what is wrong with them.
import { axe, overflow, visit } from './support.mjs';

export async function pathsOf(server, data) {
  const [a, b] = [data.runs[0].id, data.runs[1].id];
  const result = (await server.get(`/runs/${b}/test-results?limit=50`)).data;
  const pair = (await server.get(`/runs/${a}/test-results?limit=50`)).data.find((each) => each.test.id === result[0].test.id);
  return ['/', '/runs', ...['', '?view=failures', '?view=list', '?view=charts', '?view=settings', '?fold=on'].map((query) => `/runs/${b}${query}`), `/runs/${a}...${b}`, `/results/${result[0].id}`, `/results/${pair.id}...${result[0].id}`,
    '/scenarios', `/scenarios/${data.scenario.id}`, `/tests/${data.tests[0].id}`, '/tests/new', '/agents', '/agents/new', '/agents/new?type=HTTP', `/agents/${data.agent.id}`, '/chat', '/review', '/review?view=agreement', '/trends', '/logs', '/settings', '/s/order', '/nowhere'];
}

export async function faultsOfPages(page, server, paths) {
  const findings = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, server, path);
    for (const found of await axe(page)) findings.push(`${path}: ${found}`);
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(60);
      const over = await overflow(page);
      if (over > 0) findings.push(`${path}: ${over} px wider than ${width}`);
    }
  }
  return [...new Set(findings)];
}
