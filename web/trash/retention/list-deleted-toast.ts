import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { useToast } from '#web/ui/toasts.tsx';
import { useTrashDays } from '#web/api/queries/trash.ts';

/** Toast after deleting a channel or playlist, with a link to the trash. */
export function useListDeletedToast() {
  const { t } = useLingui();
  const showToast = useToast();
  const navigate = useNavigate();
  const days = useTrashDays();
  return (name: string, videos: number) =>
    videos === 0 || days === 0
      ? showToast(t`“${name}” deleted.`)
      : showToast(t`“${name}” deleted. Its videos are in the trash.`, {
          action: { label: t`Open trash`, run: () => void navigate('/trash/'), isNavigation: true },
        });
}
