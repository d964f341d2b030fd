// The paths of every page and view, and what is wrong with them.
import { axe, overflow, visit } from './support.mjs';

export async function pathsOf(server, data) {
  const [a, b] = [data.runs[0].id, data.runs[1].id];
  const result = (await server.get(`/runs/${b}/test-results?limit=50`)).data;
  const pair = (await server.get(`/runs/${a}/test-results?limit=50`)).data.find((each) => each.test.id === result[0].test.id);
  return ['/', '/runs', ...['', '?view=failures', '?view=list', '?view=charts', '?view=settings', '?fold=on'].map((query) => `/runs/${b}${query}`), `/runs/${a}...${b}`, `/results/${result[0].id}`, `/results/${pair.id}...${result[0].id}`,
    '/scenarios', `/scenarios/${data.scenario.id}`, `/tests/${data.tests[0].id}`, '/tests/new', '/agents', '/agents/new', '/agents/new?type=HTTP', `/agents/${data.agent.id}`, '/chat', '/review', '/review?view=agreement', '/trends', '/logs', '/settings', '/s/order', '/nowhere'];
}

/** The fourteen pages of the guide's pictures and of the tests of geometry, by name. */
export async function fourteenPages(server, data) {
  const [a, b] = data.runs.map((run) => run.id);
  const results = (await server.get(`/runs/${b}/test-results?limit=50`)).data;
  const [good, failed] = data.tests.map((each) => results.find((result) => result.test.id === each.id));
  return {
    overview: '/', runs: '/runs', run: `/runs/${b}`, failures: `/runs/${b}?view=failures`, comparison: `/runs/${a}...${b}`, result: `/results/${failed.id}`, conversations: `/results/${good.id}...${failed.id}`,
    scenario: `/scenarios/${data.scenario.id}`, test: `/tests/${data.tests[1].id}`, agent: `/agents/${data.agent.id}`, chat: '/chat', review: '/review', trends: '/trends', settings: '/settings',
  };
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
