import { buildPage, isPageOld } from './build-page.ts';
import { openMailDemo } from './demo/mail-demo.ts';
import { serveVault } from './serve-vault.ts';

const demos = ['mail'];
const [name = ''] = process.argv.slice(2);
if (!demos.includes(name)) {
  console.error(`Name the demonstration: npm run demo -- ${demos.join(' | ')}`);
  process.exit(2);
}
if (isPageOld()) await buildPage();
await using demo = await openMailDemo({ onSent: (line) => console.log(line) });
console.log(demo.introduction);
process.exitCode = await serveVault(demo.vault, { env: demo.env, args: demo.args });
