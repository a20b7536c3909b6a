import { Trans, useLingui } from '@lingui/react/macro';
import type { MediaServerTest } from '#contract/media-server.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Callout } from '#web/ui/Callout.tsx';
import styles from './MediaServers.module.css';

/** Result of the test of a server. */
export function TestResult({ result }: { result: MediaServerTest }) {
  const { t } = useLingui();
  const { server_name: name, version, libraries } = result;
  return (
    <Callout kind={result.success ? 'info' : 'danger'}>
      {result.problem && <p>{messageText(result.problem_messages, result.problem)}</p>}
      {name !== null && (
        <p>
          <Trans>
            Connected to <bdi>{name}</bdi>, version {version}.
          </Trans>
        </p>
      )}
      {libraries.length > 0 && (
        <ul className={styles.libraries} aria-label={t`Libraries`}>
          {libraries.map((library) => (
            <li key={library.name}>
              <strong>
                <bdi>{library.name}</bdi>
              </strong>{' '}
              {library.matches ? t`contains a view` : t`contains no view`}
              {library.folders.map((folder) => (
                <code key={folder}>{folder}</code>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
