// Runs the test files, two at a time; each file starts a separate server. Exit 77: skipped, with the reason.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync('/usr/bin/chromium')) { console.log('system.ui: skipped, run scripts/setup first: there is no /usr/bin/chromium'); process.exit(77); }
if (!existsSync(join(here, 'node_modules/playwright-core'))) { console.log('system.ui: skipped, run scripts/setup (npm ci) first'); process.exit(77); }
const wanted = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith('_test.mjs') && (!wanted.length || wanted.some((each) => name.startsWith(each))));
// The longest first, so that both workers end at about the same time.
const weight = (name) => ['live', 'light', 'dark', 'hostile', 'numbers', 'run', 'work'].indexOf(name.split('_')[0]);
files.sort((a, b) => (weight(b) >= 0) - (weight(a) >= 0) || weight(a) - weight(b));
const failed = [];
async function work() {
  for (let name = files.shift(); name; name = files.shift()) {
    const start = Date.now();
    const code = await new Promise((resolve) => {
      const child = spawn(process.execPath, ['--test', join(here, name)], { stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      child.stdout.on('data', (data) => { text += data; });
      child.stderr.on('data', (data) => { text += data; });
      child.on('exit', (status) => {
        if (status !== 0) console.log(text);
        // A skipped comparison is reported, although the test passes.
        for (const line of text.split('\n')) if (line.includes('are not compared')) console.log(line);
        resolve(status);
      });
    });
    console.log(`${code === 0 ? 'ok' : 'FAILED'} ${name} ${((Date.now() - start) / 1000).toFixed(1)} s`);
    if (code !== 0) failed.push(name);
  }
}
await Promise.all([work(), work()]);
process.exit(failed.length ? 1 : 0);
