import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Music, Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { videoQuery } from '#web/api/queries/video.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';

type Fields = Omit<Music, 'is_edited'>;

/** Reads the form: artists are separated by semicolons, because names contain commas. */
function fieldsOf(values: FormData): Fields {
  const text = (name: string) => String(values.get(name) ?? '').trim() || null;
  const artists = (text('artists') ?? '').split(';').map((name) => name.trim());
  const year = text('year');
  return {
    artists: [...new Set(artists.filter(Boolean))],
    album: text('album'),
    track: text('track'),
    year: year === null ? null : Number(year),
  };
}

/** Asks for artists, album, track and year of a video. */
export function EditMusic({ video, onClose }: { video: Video; onClose(): void }) {
  const { t } = useLingui();
  const { youtube_id: id, music } = video;
  const saving = useMutation({
    mutationFn: (edit: Fields | null) => call('POST /api/video/:id/music/', { params: { id }, body: { music: edit } }),
    onSuccess: ({ music: saved }) => {
      queryClient.setQueryData(videoQuery(id).queryKey, (known) => {
        if (!known) return known;
        const { music: _, ...others } = known;
        return saved ? { ...others, music: saved } : others;
      });
      onClose();
    },
  });
  return (
    <Dialog title={t`Edit music details`} onClose={onClose}>
      <Form onSubmit={(values) => saving.mutate(fieldsOf(values))}>
        <Field
          label={t`Artists`}
          name="artists"
          defaultValue={music?.artists.join('; ')}
          help={t`Several are separated by semicolons.`}
          problem={saving.error?.message}
          maxLength={2000}
          autoComplete="off"
        />
        <Field label={t`Album`} name="album" defaultValue={music?.album ?? ''} maxLength={200} autoComplete="off" />
        <Field label={t`Track`} name="track" defaultValue={music?.track ?? ''} maxLength={200} autoComplete="off" />
        <Field
          label={t`Year`}
          name="year"
          type="number"
          min={1000}
          max={9999}
          step={1}
          defaultValue={music?.year ?? ''}
          autoComplete="off"
        />
        <DialogActions onCancel={onClose}>
          {music?.is_edited && (
            <Button isBusy={saving.isPending} onClick={() => saving.mutate(null)}>
              {t`Restore from source`}
            </Button>
          )}
          <Button type="submit" kind="primary" isBusy={saving.isPending}>
            {t`Save`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
