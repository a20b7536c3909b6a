import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfPlaylist } from '#web/video/paths.ts';
import styles from './Playlists.module.css';

/** Where one makes a playlist of one's own. */
export function MakePlaylist() {
  const { t } = useLingui();
  const say = useToast();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: (playlist_name: string) => call('POST /api/playlist/custom/', { body: { playlist_name } }),
    onSuccess: ({ playlist_id }) => {
      void queryClient.invalidateQueries({ queryKey: ['playlist'] });
      void navigate(pathOfPlaylist(playlist_id));
    },
    onError: (error) => say(error.message, { isDanger: true }),
  });
  return (
    <form
      className={styles.make}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) make.mutate(name.trim());
      }}
    >
      <Field label={t`A playlist of your own`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
      <Button type="submit" icon={<IconPlus aria-hidden />} isBusy={make.isPending} disabled={!name.trim()}>
        {t`Create playlist`}
      </Button>
    </form>
  );
}
