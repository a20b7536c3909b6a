import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { useToast } from '#web/ui/toasts.tsx';
import { useBinDays } from './queries.ts';

/** Says that a channel or a playlist was deleted, and leads to its videos where they rest. */
export function useSayListDeleted() {
  const { t } = useLingui();
  const say = useToast();
  const navigate = useNavigate();
  const days = useBinDays();
  return (name: string, videos: number) =>
    videos === 0 || days === 0
      ? say(t`“${name}” is deleted.`)
      : say(t`“${name}” is deleted; its videos are in the bin.`, {
          action: { label: t`See the bin`, run: () => void navigate('/settings/bin/'), isWay: true },
        });
}
