import { chunks, type Tx } from '../../platform/db/db.ts';

/** Changed folders by absolute path. */
export type FolderChanges = Map<string, 'Created' | 'Modified' | 'Deleted'>;

/** Queues a refresh of these folders of a view for each media server, as part of the transaction that records its files. */
export async function queueRefresh(tx: Tx, root: string, changes: FolderChanges, at: number): Promise<void> {
  if (changes.size === 0) return;
  const servers = await tx.selectFrom('mediaServer').select('number').execute();
  const rows = servers.flatMap(({ number }) =>
    [...changes].map(([folder, change]) => ({ serverNumber: number, root, folder, change, firstAt: at, lastAt: at })),
  );
  for (const batch of chunks(rows))
    await tx
      .insertInto('mediaServerRefresh')
      .values(batch)
      .onConflict((c) =>
        c.columns(['serverNumber', 'folder']).doUpdateSet((e) => ({
          lastAt: at,
          version: e('mediaServerRefresh.version', '+', 1),
          change: e
            .case()
            .when('mediaServerRefresh.change', '=', e.ref('excluded.change'))
            .then(e.ref('excluded.change'))
            .else('Modified' as const)
            .end(),
        })),
      )
      .execute();
}
