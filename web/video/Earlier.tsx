import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { addressOf, call } from '#web/api/call.ts';
import { dayText, momentText } from '#web/format/dates.ts';
import styles from './Details.module.css';

/** What a video was called, said of itself and looked like before its site changed it. */
export function Earlier({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery({
    queryKey: ['video', 'earlier', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/history/', { params: { id }, signal }),
  });
  if (!data || data.length === 0) return null;
  const names = { title: t`Title`, description: t`Description`, thumbnail: t`Picture` };
  return (
    <details className={styles.file}>
      <summary>
        <Trans>What changed</Trans> <span className="number">{data.length}</span>
      </summary>
      <ol className={styles.earlier}>
        {data.map(({ what, until, value }) => {
          const day = dayText(until);
          return (
            <li key={`${what} ${until}`}>
              <span className={styles.aside} title={momentText(until)}>
                {names[what]} · <Trans>until {day}</Trans>
              </span>
              {what === 'thumbnail' ? (
                <img src={addressOf(value)} alt={t`The picture until ${day}`} width={192} height={108} loading="lazy" />
              ) : (
                <p dir="auto">{value}</p>
              )}
            </li>
          );
        })}
      </ol>
    </details>
  );
}
