import { chunks, type Tx } from '../../platform/db/db.ts';

/** Changed folders by absolute path. */
export type FolderChanges = Map<string, 'Created' | 'Modified' | 'Deleted'>;

interface ViewChanges {
  folders: FolderChanges;
  /** Absolute paths of NFO files that were written again. Other servers than Kodi notice them. */
  metadata: string[];
}

/** Queues a refresh of what has changed in a view for each media server, in the transaction that records its files. */
export async function queueRefresh(tx: Tx, root: string, { folders, metadata }: ViewChanges, at: number): Promise<void> {
  if (folders.size + metadata.length === 0) return;
  const servers = await tx.selectFrom('mediaServer').select(['number', 'kind']).execute();
  const rows = servers.flatMap(({ number, kind }) =>
    [...folders, ...(kind === 'kodi' ? metadata.map((path) => [path, 'Modified'] as const) : [])].map(([folder, change]) => ({
      serverNumber: number,
      root,
      folder,
      change,
      firstAt: at,
      lastAt: at,
    })),
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
