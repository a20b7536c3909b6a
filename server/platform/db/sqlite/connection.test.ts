import { StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { openLocal } from './connection.ts';

test('caches the last hundred prepared statements, and prepares others again', () => {
  const closed = vi.spyOn(StatementSync.prototype as StatementSync & { close(): void }, 'close');
  const connection = openLocal(':memory:');
  const runQuery = (n: number) => connection.run(`select ${n}, ?`, ['ä']).values;
  for (let n = 0; n < 250; n++) expect(runQuery(n)).toEqual([[n, 'ä']]);
  expect(closed).toHaveBeenCalledTimes(150);
  // The least recently used statement is dropped.
  runQuery(150);
  runQuery(250);
  runQuery(150);
  expect(closed).toHaveBeenCalledTimes(151);
  expect([runQuery(151), runQuery(0)]).toEqual([[[151, 'ä']], [[0, 'ä']]]);
  connection.close();
  closed.mockRestore();
});
