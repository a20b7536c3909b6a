import { useLingui } from '@lingui/react/macro';
import { IconBroadcast } from '@tabler/icons-react';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';

/** The list of streams without any. */
export function NoStreams() {
  const { t } = useLingui();
  return (
    <EmptyState icon={<IconBroadcast />} title={t`No stream is announced or running`}>
      <TextWithLinks
        text={t`Channels whose streams are recorded are checked every 5 minutes. Turn this on for all in Settings → Download format, or for one on its page.`}
      />
    </EmptyState>
  );
}
