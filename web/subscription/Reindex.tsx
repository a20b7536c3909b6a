import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { IconRefresh } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';

type Target = { channel: string[] } | { playlist: string[] };

interface Props {
  what: Target;
  /** Also refreshes the videos. */
  withVideos?: boolean;
  children: string;
}

/** Schedules a refresh of metadata; errors are shown as toasts. */
export function useReindex(what: Target, { withVideos = false, onScheduled = () => {} } = {}) {
  return useAction(() => call('POST /api/refresh/', { query: { extract_videos: withVideos }, body: what }), {
    onSuccess: onScheduled,
  });
}

/** Button that refreshes metadata. It shows "Reindex scheduled" until the page is reloaded. */
export function Reindex({ what, withVideos = false, children }: Props) {
  const { t } = useLingui();
  const start = useReindex(what, { withVideos });
  if (start.isSuccess) return <p role="status">{t`Reindex scheduled`}</p>;
  return (
    <Button icon={<IconRefresh aria-hidden />} isBusy={start.isPending} onClick={() => start.mutate()}>
      {children}
    </Button>
  );
}
