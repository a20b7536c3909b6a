import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconLanguage } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import type { VideoFilter } from '#web/api/queries/video.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useState } from 'react';

interface Props {
  /** Ids of the videos, or the filter that they match with their number. */
  videos: readonly string[] | { filter: VideoFilter; total: number };
  onClose(): void;
  onDone?(): void;
}

const isFilter = (videos: Props['videos']): videos is { filter: VideoFilter; total: number } => !Array.isArray(videos);

/** Asks for languages, and fetches sound tracks in them for archived videos. */
export function FetchSoundsDialog({ videos, onClose, onDone }: Props) {
  const { t, i18n } = useLingui();
  const showToast = useToast();
  const settings = useQuery(settingsQuery);
  const [withAutoDubs, setWithAutoDubs] = useState<boolean>();
  const count = isFilter(videos) ? videos.total : videos.length;
  const fetching = useMutation({
    mutationFn: (body: { audio_languages: string; audio_auto_dubs: boolean }) =>
      isFilter(videos)
        ? call('POST /api/video/bulk/sounds/', { query: videos.filter, body })
        : call('POST /api/video/sounds/', { body: { ids: [...videos], ...body } }),
    onSuccess: () => {
      showToast(
        plural(count, {
          one: 'The sound tracks are being fetched. The file stays until they are joined to it.',
          other: 'The sound tracks of # videos are being fetched. The files stay until they are joined to them.',
        }),
      );
      onDone?.();
      onClose();
    },
  });
  return (
    <Dialog title={t`Fetch more languages`} onClose={onClose}>
      <QueryBoundary query={settings} skeleton={120}>
        {({ downloads }) => {
          const isOn = withAutoDubs ?? downloads.audio_auto_dubs;
          return (
            <Form
              onSubmit={(values) => fetching.mutate({ audio_languages: String(values.get('languages')), audio_auto_dubs: isOn })}
            >
              <Field
                label={t`Languages`}
                name="languages"
                defaultValue={downloads.audio_languages ?? i18n.locale}
                help={t`For example de,pt-BR. “original” fetches the original sound if it is missing.`}
                problem={fetching.error?.message}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                maxLength={100}
                required
              />
              <Switch
                label={t`Automatic dubs`}
                help={t`Also fetches sound tracks that a program has made.`}
                isOn={isOn}
                onChange={setWithAutoDubs}
              />
              <DialogActions onCancel={onClose}>
                <Button type="submit" kind="primary" icon={<IconLanguage aria-hidden />} isBusy={fetching.isPending}>
                  {t`Fetch`}
                </Button>
              </DialogActions>
            </Form>
          );
        }}
      </QueryBoundary>
    </Dialog>
  );
}
