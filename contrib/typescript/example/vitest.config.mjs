export default {test: {include: ["example/*.vitest.mjs"]}, cacheDir: process.env.PARLEY_VITEST_CACHE ?? "node_modules/.vite"};
