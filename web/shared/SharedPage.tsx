import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { SharedContent } from '#contract/share.ts';
import { ApiError, call } from '#web/api/call.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SharedPlaylist } from './SharedPlaylist.tsx';
import { SharedVideoView } from './SharedVideoView.tsx';
import styles from './SharedPage.module.css';

/** Opens a share link. @throws {ApiError} */
export const openShare = (secret: string, password: string | undefined, page = 1) =>
  call('POST /api/share/:secret/open/', { params: { secret }, body: { ...(password !== undefined && { password }), page } });

const needsPassword = (error: Error) =>
  error instanceof ApiError && (error.body as { needs_password?: boolean } | null)?.needs_password === true;

/** The page of a share link: a video or a playlist, a form for the password, or the reason why the link does not open. */
export function SharedPage({ secret }: { secret: string }) {
  const { t } = useLingui();
  const [password, setPassword] = useState<string>();
  const [result, setResult] = useState<{ content: SharedContent } | { error: Error }>();
  useEffect(() => {
    let isCurrent = true;
    openShare(secret, password).then(
      (content) => isCurrent && setResult({ content }),
      (error: Error) => isCurrent && setResult({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [secret, password]);
  const content = result && 'content' in result ? result.content : undefined;
  const error = result && 'error' in result ? result.error : undefined;
  const asksPassword = error !== undefined && (needsPassword(error) || password !== undefined);
  useEffect(() => {
    document.title = `${content?.name ?? t`Shared with you`} – Reelkeep`;
  }, [content, t]);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Logo size={24} />
        <span>Reelkeep</span>
      </header>
      <main className={styles.main} aria-busy={!result}>
        {asksPassword && (
          <PasswordForm
            error={password === undefined ? undefined : error.message}
            onSubmit={(given) => {
              setResult(undefined);
              setPassword(given);
            }}
          />
        )}
        {error && !asksPassword && (
          <div className={styles.notice} role="alert">
            <h1>
              <Trans>This link does not open</Trans>
            </h1>
            <p>{error.message}</p>
          </div>
        )}
        {content?.type === 'video' && content.videos[0] && (
          <SharedVideoView video={content.videos[0]} isDownloadable={content.download} m3uUrl={content.m3u_url} />
        )}
        {content?.type === 'playlist' && (
          <SharedPlaylist content={content} loadPage={(page) => openShare(secret, password, page)} />
        )}
        {content && content.expires !== null && (
          <p className={styles.expiry}>{t`This link works until ${dateTimeText(content.expires)}.`}</p>
        )}
      </main>
    </div>
  );
}
