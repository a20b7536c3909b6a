import { Trans, useLingui } from '@lingui/react/macro';
import { IconBadgeHd, IconCut } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { lengthText, sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './UpgradeNotice.module.css';

/** Says that the source has a video in a better quality or of another length, with what staff can do. */
export function UpgradeNotice({ video }: { video: Video }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const isStaff = useIsStaff();
  const showToast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const trashDays = useQuery({ ...settingsQuery, enabled: isAsking }).data?.trash.days;
  const { upgrade, source_duration: length } = video;
  const act = useAction(
    (action: 'replace' | 'keep_both' | 'decline') =>
      call('POST /api/video/:id/upgrade/', { params: { id: video.youtube_id }, body: { action } }),
    {
      onSuccess: async (_answer, action) => {
        setIsAsking(false);
        showToast(
          {
            replace: t`Queued for download. The present file stays until the new one has been checked.`,
            keep_both: t`The present file becomes a video of its own, then the other version is downloaded.`,
            decline: t`This quality is not offered again.`,
          }[action],
        );
        await invalidateTopics('video');
      },
    },
  );
  if (upgrade) {
    const { height, fps, dynamic_range: range, size } = upgrade;
    const name = [
      `${height}p${fps !== null && fps > 40 ? fps : ''}`,
      range !== null && range !== 'sdr' && 'HDR',
      size !== null && t`about ${sizeText(size, unit)}`,
    ]
      .filter(Boolean)
      .join(', ');
    return (
      <p className={styles.notice}>
        <IconBadgeHd aria-hidden />
        <span>{t`Better quality available (${name}).`}</span>
        {isStaff && (
          <>
            <Button size="s" isBusy={act.isPending} onClick={() => act.mutate('replace')}>
              <Trans>Replace</Trans>
            </Button>
            <Button size="s" kind="quiet" isBusy={act.isPending} onClick={() => act.mutate('decline')}>
              <Trans>Keep this file</Trans>
            </Button>
          </>
        )}
      </p>
    );
  }
  if (length === undefined) return null;
  const difference = lengthText(Math.abs(length - video.player.duration));
  const text =
    length < video.player.duration
      ? t`The version at the source is ${difference} shorter than this file.`
      : t`The version at the source is ${difference} longer than this file.`;
  return (
    <p className={styles.notice}>
      <IconCut aria-hidden />
      <span>{text}</span>
      {isStaff && (
        <>
          <Button size="s" kind="quiet" isBusy={act.isPending} onClick={() => act.mutate('keep_both')}>
            <Trans>Keep both</Trans>
          </Button>
          <Button size="s" kind="quiet" onClick={() => setIsAsking(true)}>
            <Trans>Replace…</Trans>
          </Button>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t`Replace the file?`}
          action={t`Replace`}
          kind="primary"
          isBusy={act.isPending}
          onConfirm={() => act.mutate('replace')}
          onClose={() => setIsAsking(false)}
        >
          <p>{text}</p>
          <p>
            {trashDays === 0 ? (
              <Trans>The present file is deleted when the new one has been checked, because the trash is off.</Trans>
            ) : (
              <Trans>The present file goes to the trash when the new one has been checked.</Trans>
            )}{' '}
            <Trans>Notes and positions keep their times.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </p>
  );
}
