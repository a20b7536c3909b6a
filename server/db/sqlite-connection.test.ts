import { StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { openHere } from './sqlite-connection.ts';

test('of ever new statements the last hundred are kept ready, and any other can be asked again', () => {
  const closed = vi.spyOn(StatementSync.prototype as StatementSync & { close(): void }, 'close');
  const connection = openHere(':memory:');
  const ask = (n: number) => connection.run(`select ${n}, ?`, ['ä']).values;
  for (let n = 0; n < 250; n++) expect(ask(n)).toEqual([[n, 'ä']]);
  expect(closed).toHaveBeenCalledTimes(150);
  // One that was used just now stays, the one not used for longest goes.
  ask(150);
  ask(250);
  ask(150);
  expect(closed).toHaveBeenCalledTimes(151);
  expect([ask(151), ask(0)]).toEqual([[[151, 'ä']], [[0, 'ä']]]);
  connection.close();
  closed.mockRestore();
});
