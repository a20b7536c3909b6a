import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconDots, IconKey, IconShare, IconTrash, IconUser, IconUserOff, IconUserShield } from '@tabler/icons-react';
import { useState, type ButtonHTMLAttributes } from 'react';
import { useNavigate } from 'react-router';
import type { UserSummary } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { RevealOnce } from '../account/RevealOnce.tsx';

const refreshed = { onSettled: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }) };

/** Trigger of a menu, which passes its properties. */
function ActionsButton({ name, ...rest }: { name: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useLingui();
  return (
    <Button size="s" icon={<IconDots aria-hidden />} aria-label={t`Actions for ${name}`} {...rest}>
      <Trans>Actions</Trans>
    </Button>
  );
}

/** Actions for the account of the user. */
export function OwnActions({ name }: { name: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  return (
    <Menu trigger={<ActionsButton name={name} />}>
      <MenuItem icon={<IconUser aria-hidden />} onSelect={() => void navigate('/settings/user/')}>
        {t`My settings`}
      </MenuItem>
      <MenuItem icon={<IconKey aria-hidden />} onSelect={() => void navigate('/settings/user/password/')}>
        <Trans>Change password</Trans>
      </MenuItem>
    </Menu>
  );
}

/** Actions for another user's account. */
export function UserActions({ person }: { person: UserSummary }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [openDialog, setOpenDialog] = useState<'password' | 'delete'>();
  const [password, setPassword] = useState<string>();
  const { name, watched } = person;
  const params = { id: String(person.id) };
  const change = useAction(
    (body: { is_staff?: boolean; is_disabled?: boolean; may_share?: boolean }, confirm) =>
      call('POST /api/users/:id/', { params, body, ...confirm }),
    refreshed,
  );
  const reset = useAction(
    (_: void, confirm) => call('POST /api/users/:id/password/', { params, body: {}, ...confirm }),
    refreshed,
  );
  const remove = useAction((_: void, confirm) => call('DELETE /api/users/:id/', { params, ...confirm }), refreshed);
  const setDisabled = (isDisabled: boolean) =>
    change.mutate(
      { is_disabled: isDisabled },
      {
        onSuccess: () =>
          showToast(isDisabled ? t`${name} disabled and logged out everywhere.` : t`${name} can log in again.`, {
            action: { label: t`Undo`, run: () => change.mutate({ is_disabled: !isDisabled }) },
          }),
      },
    );
  const setMayShare = (mayShare: boolean) =>
    change.mutate(
      { may_share: mayShare },
      {
        onSuccess: () =>
          showToast(mayShare ? t`${name} may create share links.` : t`${name} may no longer share. Their links stop working.`, {
            action: { label: t`Undo`, run: () => change.mutate({ may_share: !mayShare }) },
          }),
      },
    );
  const setStaff = (isStaff: boolean) =>
    change.mutate(
      { is_staff: isStaff },
      {
        onSuccess: () =>
          showToast(isStaff ? t`${name} is now an administrator.` : t`${name} is no longer an administrator.`, {
            action: { label: t`Undo`, run: () => change.mutate({ is_staff: !isStaff }) },
          }),
      },
    );
  return (
    <>
      <Menu trigger={<ActionsButton name={name} />}>
        <MenuItem icon={<IconUserShield aria-hidden />} onSelect={() => setStaff(!person.is_staff)}>
          {person.is_staff ? t`Remove administrator rights` : t`Make administrator`}
        </MenuItem>
        {/* Administrators always may. */}
        {!person.is_staff && (
          <MenuItem icon={<IconShare aria-hidden />} onSelect={() => setMayShare(!person.may_share)}>
            {person.may_share ? t`Forbid share links` : t`Allow share links`}
          </MenuItem>
        )}
        <MenuItem icon={<IconKey aria-hidden />} onSelect={() => setOpenDialog('password')}>
          <Trans>Reset password…</Trans>
        </MenuItem>
        <MenuItem icon={<IconUserOff aria-hidden />} onSelect={() => setDisabled(!person.is_disabled)}>
          {person.is_disabled ? t`Enable` : t`Disable`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setOpenDialog('delete')}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </Menu>
      {openDialog === 'password' && (
        <ConfirmDialog
          title={t`Reset the password of ${name}?`}
          action={t`Reset password`}
          kind="primary"
          isBusy={reset.isPending}
          onConfirm={() =>
            reset.mutate(undefined, {
              onSuccess: (reply) => setPassword(reply.password ?? undefined),
              onSettled: () => setOpenDialog(undefined),
            })
          }
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>
              They are logged out everywhere, and their tokens and links stop working. The new password is shown once.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {password && (
        <RevealOnce
          title={t`Password for ${name}`}
          text={t`Copy it now – it won’t be shown again. They’ll set their own at first login.`}
          secret={password}
          onClose={() => setPassword(undefined)}
        />
      )}
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete the account of ${name}?`}
          action={t`Delete ${name}`}
          isBusy={remove.isPending}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: (deleted) => showToast(t`${deleted.name} deleted.`),
              onSettled: () => setOpenDialog(undefined),
            })
          }
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Plural
              value={watched}
              _0="Their settings are deleted. They haven’t watched anything yet."
              one="Their settings and their watch history (# video) are deleted."
              other="Their settings and their watch history (# videos) are deleted."
            />{' '}
            <Trans>No videos are deleted. This can’t be undone.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
