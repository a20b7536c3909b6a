import { useQuery } from '@tanstack/react-query';
import { useIsStaff } from '#web/api/account.ts';
import { failedItemsQuery } from '#web/api/queries/download.ts';
import { trashQuery } from '#web/api/queries/trash.ts';

/** Numbers next to the entries of the navigation, by path: failed downloads and deleted videos. */
export function useNavCounts(): Record<string, number> {
  const enabled = useIsStaff();
  const failed = useQuery({ ...failedItemsQuery, enabled }).data?.paginate.total_hits ?? 0;
  const deleted = useQuery({ ...trashQuery(1), enabled }).data?.paginate.total_hits ?? 0;
  return { '/downloads/': failed, '/trash/': deleted };
}
