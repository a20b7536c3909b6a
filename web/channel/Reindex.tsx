import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';

interface Props {
  what: { channel: string[] } | { playlist: string[] };
  /** Its videos too. */
  withVideos?: boolean;
  children: string;
}

/** Brings something up to date with its site; says so until the page is loaded again. */
export function Reindex({ what, withVideos = false, children }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const start = useMutation({
    mutationFn: () => call('POST /api/refresh/', { query: { extract_videos: withVideos }, body: what }),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  if (start.isSuccess) return <p role="status">{t`Reindex scheduled`}</p>;
  return (
    <Button icon={<IconRefresh aria-hidden />} isBusy={start.isPending} onClick={() => start.mutate()}>
      {children}
    </Button>
  );
}
