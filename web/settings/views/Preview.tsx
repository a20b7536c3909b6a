import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { messageText } from '#web/i18n/message-text.ts';
import { previewQuery, type ViewSettings } from '#web/api/queries/view.ts';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import styles from './Views.module.css';

/** Paths of ten real videos with the settings of the form. */
export function Preview({ settings }: { settings: ViewSettings }) {
  const { t } = useLingui();
  const { preset, template, content, root } = settings;
  const body = useDebouncedValue(
    JSON.stringify({
      preset,
      ...(preset === 'custom' && template && { template }),
      content: content?.type === 'all' || content?.id ? content : { type: 'all' },
      ...(root.trim() && { root }),
    }),
    300,
  );
  const { data, error } = useQuery(previewQuery(JSON.parse(body) as Parameters<typeof previewQuery>[0]));
  const problem = data?.problem ? messageText(data.problem_messages, data.problem) : error?.message;
  return (
    <section className={styles.preview} aria-labelledby="view-preview">
      <h3 id="view-preview">
        <Trans>Preview</Trans>
      </h3>
      <div aria-live="polite">
        {problem && <p className={styles.invalid}>{problem}</p>}
        {data && !problem && data.files.length === 0 && <p>{t`No videos match.`}</p>}
      </div>
      {!problem && (
        <ol>
          {data?.files.map(({ video_id: id, path }) => (
            <li key={`${id} ${path}`}>
              <code>{path}</code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
