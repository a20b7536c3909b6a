import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { pathOfPlaylist } from '#web/api/paths.ts';
import styles from './CreatePlaylist.module.css';

/** Form that creates a custom playlist. */
export function CreatePlaylist() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const create = useAction(
    (playlist_name: string) => call('POST /api/playlist/custom/', { body: { playlist_name, is_shared: isShared } }),
    {
      onSuccess: ({ playlist_id }) => {
        void queryClient.invalidateQueries({ queryKey: ['playlist'] });
        void navigate(pathOfPlaylist(playlist_id));
      },
    },
  );
  return (
    <Form className={styles.create} onSubmit={() => name.trim() && create.mutate(name.trim())}>
      <Field label={t`New playlist`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
      <Select
        label={t`Visibility`}
        value={isShared ? 'shared' : 'private'}
        choices={[
          { value: 'private', label: t`Private` },
          { value: 'shared', label: t`Shared with all users` },
        ]}
        onChange={({ target }) => setIsShared(target.value === 'shared')}
      />
      <Button type="submit" icon={<IconPlus aria-hidden />} isBusy={create.isPending} disabled={!name.trim()}>
        {t`Create playlist`}
      </Button>
    </Form>
  );
}
