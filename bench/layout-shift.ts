/**
 * `npm run bench -- shift [address]`: cumulative layout shift of every page of a running demo, on a phone and a desktop, with an
 * empty cache. Pages above the goal are marked.
 */
import { demoPages } from '../e2e/support/page-list.ts';
import { layoutShifts } from './pages.ts';

const goal = 0.02;
const viewports = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };

const [address = 'http://127.0.0.1:8000'] = process.argv.slice(2);
for (const [name, viewport] of Object.entries(viewports)) {
  const shifts = await layoutShifts(address, Object.values(demoPages), viewport);
  for (const [path, { value, moved }] of shifts ?? [])
    console.log(
      `${name.padEnd(8)} ${value.toFixed(3)} ${value > goal ? '!' : ' '} ${path}${value > goal ? `\n  ${moved.join('\n  ')}` : ''}`,
    );
}
