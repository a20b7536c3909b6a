import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Speech } from '#contract/speech.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { workText } from '#web/format/work-text.ts';
import { videosText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { Callout } from '#web/ui/Callout.tsx';

/** How much is left to transcribe, and how long that takes at the measured speed. */
export function MissingTranscripts({ speech }: { speech: Speech }) {
  const { t } = useLingui();
  const isOff = useQuery(settingsQuery).data?.speech.transcribe === 'off';
  const { videos, seconds, speed, nights, problem, problem_messages: messages } = speech;
  const [count, length] = [videosText(videos), workText(seconds)];
  const work = speed && workText(seconds / speed);
  return (
    <>
      <Muted>
        {videos === 0 ? (
          <Trans>Every video with sound has captions or a transcript.</Trans>
        ) : (
          <Trans>
            {count} without captions, {length}.
          </Trans>
        )}{' '}
        {videos > 0 && work && nights === null && t`At this machine’s speed about ${work} of work.`}
        {videos > 0 && work && nights === 1 && t`At this machine’s speed about ${work} of work, one night.`}
        {videos > 0 &&
          work &&
          nights !== null &&
          nights > 1 &&
          t`At this machine’s speed about ${work} of work, ${nights} nights.`}
      </Muted>
      {!isOff && problem && <Callout kind="danger">{messageText(messages, problem)}</Callout>}
    </>
  );
}
