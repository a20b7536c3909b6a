import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '#web/api/queries/settings.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Callout } from '#web/ui/Callout.tsx';

/** Formats that were stored while yt-dlp was not installed yet, and that it rejects now. */
export function FormatProblem() {
  const check = useQuery(healthQuery).data?.find(({ name }) => name === 'format');
  return check && check.state !== 'good' && <Callout kind="danger">{messageText(check.messages, check.text)}</Callout>;
}
