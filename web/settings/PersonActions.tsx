import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconDots, IconKey, IconTrash, IconUserOff, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import type { Person } from '#contract/people.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Menu, MenuItem, MenuLine } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { usePeopleChange } from './people-queries.ts';
import { ShownOnce } from './ShownOnce.tsx';

/** What can be done with somebody else's account. */
export function PersonActions({ person }: { person: Person }) {
  const { t } = useLingui();
  const say = useToast();
  const [asks, setAsks] = useState<'password' | 'delete'>();
  const [password, setPassword] = useState<string>();
  const { name, watched } = person;
  const params = { id: String(person.id) };
  const change = usePeopleChange((body: { is_staff?: boolean; is_disabled?: boolean }, confirm) =>
    call('POST /api/user/people/:id/', { params, body, ...confirm }),
  );
  const reset = usePeopleChange((_: void, confirm) =>
    call('POST /api/user/people/:id/password/', { params, body: {}, ...confirm }),
  );
  const drop = usePeopleChange((_: void, confirm) => call('DELETE /api/user/people/:id/', { params, ...confirm }));
  const setOff = (isOff: boolean) =>
    change.mutate(
      { is_disabled: isOff },
      {
        onSuccess: () =>
          say(isOff ? t`${name} is switched off and logged out everywhere.` : t`${name} can log in again.`, {
            action: { label: t`Undo`, run: () => change.mutate({ is_disabled: !isOff }) },
          }),
      },
    );
  const setStaff = (isStaff: boolean) =>
    change.mutate(
      { is_staff: isStaff },
      {
        onSuccess: () =>
          say(isStaff ? t`${name} is staff now.` : t`${name} is not staff any more.`, {
            action: { label: t`Undo`, run: () => change.mutate({ is_staff: !isStaff }) },
          }),
      },
    );
  return (
    <>
      <Menu
        trigger={
          <Button size="s" icon={<IconDots aria-hidden />} aria-label={t`Change ${name}`}>
            <Trans>Change</Trans>
          </Button>
        }
      >
        <MenuItem icon={<IconUserShield aria-hidden />} onSelect={() => setStaff(!person.is_staff)}>
          {person.is_staff ? t`Take staff rights away` : t`Make staff`}
        </MenuItem>
        <MenuItem icon={<IconKey aria-hidden />} onSelect={() => setAsks('password')}>
          <Trans>New password …</Trans>
        </MenuItem>
        <MenuItem icon={<IconUserOff aria-hidden />} onSelect={() => setOff(!person.is_disabled)}>
          {person.is_disabled ? t`Switch on` : t`Switch off`}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setAsks('delete')}>
          <Trans>Delete …</Trans>
        </MenuItem>
      </Menu>
      {asks === 'password' && (
        <Dialog title={t`A new password for ${name}?`} onClose={() => setAsks(undefined)}>
          <p>
            <Trans>
              They are logged out everywhere, and their tokens and links stop working. The new password is shown once.
            </Trans>
          </p>
          <DialogActions>
            <Button onClick={() => setAsks(undefined)}>
              <Trans>Leave it</Trans>
            </Button>
            <Button
              kind="primary"
              isBusy={reset.isPending}
              onClick={() =>
                reset.mutate(undefined, {
                  onSuccess: (said) => setPassword(said.password ?? undefined),
                  onSettled: () => setAsks(undefined),
                })
              }
            >
              <Trans>Make a new password</Trans>
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {password && (
        <ShownOnce
          title={t`Password of ${name}`}
          words={t`Pass it on now, it is shown this once. With it they choose a password of their own.`}
          secret={password}
          onClose={() => setPassword(undefined)}
        />
      )}
      {asks === 'delete' && (
        <Dialog title={t`Delete the account of ${name}?`} onClose={() => setAsks(undefined)}>
          <p>
            <Plural
              value={watched}
              _0="Their settings go. They have watched nothing yet."
              one="Their settings go, and what is known of # video that they watched or began."
              other="Their settings go, and what is known of # videos that they watched or began."
            />{' '}
            <Trans>No video is deleted. This cannot be undone.</Trans>
          </p>
          <DialogActions>
            <Button onClick={() => setAsks(undefined)}>
              <Trans>Keep it</Trans>
            </Button>
            <Button
              kind="danger"
              isBusy={drop.isPending}
              onClick={() =>
                drop.mutate(undefined, {
                  onSuccess: (gone) => say(t`${gone.name} is deleted.`),
                  onSettled: () => setAsks(undefined),
                })
              }
            >
              {t`Delete ${name}`}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
