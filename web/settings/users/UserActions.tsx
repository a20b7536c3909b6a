import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconKey, IconShare, IconTextCaption, IconTrash, IconUser, IconUserOff, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserSummary } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { useAction } from '#web/confirm/use-action.ts';
import { MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { RevealOnce } from '../account/RevealOnce.tsx';

interface UserChange {
  is_staff?: boolean;
  is_disabled?: boolean;
  may_share?: boolean;
  may_transcribe?: boolean;
}

/** Actions for the account of the user. */
export function OwnActions({ name }: { name: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  return (
    <ActionsMenu name={name}>
      <MenuItem icon={<IconUser aria-hidden />} onSelect={() => void navigate('/settings/user/')}>
        {t`My settings`}
      </MenuItem>
      <MenuItem icon={<IconKey aria-hidden />} onSelect={() => void navigate('/settings/user/password/')}>
        <Trans>Change password</Trans>
      </MenuItem>
    </ActionsMenu>
  );
}

/** Actions for another user's account. */
export function UserActions({ person }: { person: UserSummary }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [openDialog, setOpenDialog] = useState<'password' | 'delete'>();
  const [password, setPassword] = useState<string>();
  const { name, watched, notes } = person;
  const params = { id: String(person.id) };
  const change = useAction((body: UserChange, confirm) => call('POST /api/users/:id/', { params, body, ...confirm }), {
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  /** Changes one right, with an offer to undo it. */
  const toggle = (right: keyof UserChange, isOn: boolean, message: string) =>
    change.mutate(
      { [right]: isOn },
      {
        onSuccess: () => showToast(message, { action: { label: t`Undo`, run: () => change.mutate({ [right]: !isOn }) } }),
      },
    );
  const setDisabled = (isDisabled: boolean) =>
    toggle('is_disabled', isDisabled, isDisabled ? t`${name} disabled and logged out everywhere.` : t`${name} can log in again.`);
  const setMayShare = (mayShare: boolean) =>
    toggle(
      'may_share',
      mayShare,
      mayShare ? t`${name} may create share links.` : t`${name} may no longer share. Their links stop working.`,
    );
  const setMayTranscribe = (mayTranscribe: boolean) =>
    toggle(
      'may_transcribe',
      mayTranscribe,
      mayTranscribe ? t`${name} may request transcripts.` : t`${name} may no longer request transcripts.`,
    );
  const setStaff = (isStaff: boolean) =>
    toggle('is_staff', isStaff, isStaff ? t`${name} is now an administrator.` : t`${name} is no longer an administrator.`);
  return (
    <>
      <ActionsMenu name={name}>
        <MenuItem icon={<IconUserShield aria-hidden />} onSelect={() => setStaff(!person.is_staff)}>
          {person.is_staff ? t`Remove administrator rights` : t`Make administrator`}
        </MenuItem>
        {/* Administrators always may. */}
        {!person.is_staff && (
          <MenuItem icon={<IconShare aria-hidden />} onSelect={() => setMayShare(!person.may_share)}>
            {person.may_share ? t`Forbid share links` : t`Allow share links`}
          </MenuItem>
        )}
        {!person.is_staff && (
          <MenuItem icon={<IconTextCaption aria-hidden />} onSelect={() => setMayTranscribe(!person.may_transcribe)}>
            {person.may_transcribe ? t`Forbid transcript requests` : t`Allow transcript requests`}
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
      </ActionsMenu>
      {openDialog === 'password' && (
        <ActionDialog
          title={t`Reset the password of ${name}?`}
          action={t`Reset password`}
          kind="primary"
          run={(confirm) => call('POST /api/users/:id/password/', { params, body: {}, ...confirm })}
          queryKey={usersQuery.queryKey}
          onSuccess={(reply) => setPassword(reply.password ?? undefined)}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>
              They are logged out everywhere, and their tokens and links stop working. The new password is shown once.
            </Trans>
          </p>
        </ActionDialog>
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
        <ActionDialog
          title={t`Delete the account of ${name}?`}
          action={t`Delete ${name}`}
          run={(confirm) => call('DELETE /api/users/:id/', { params, ...confirm })}
          queryKey={usersQuery.queryKey}
          onSuccess={(deleted) => showToast(t`${deleted.name} deleted.`)}
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
          {notes > 0 && (
            <p>
              <Plural
                value={notes}
                one="Their # note is deleted too. Only they can export it, with “Export as Markdown” on the page of their notes."
                other="Their # notes are deleted too. Only they can export them, with “Export as Markdown” on the page of their notes."
              />
            </p>
          )}
        </ActionDialog>
      )}
    </>
  );
}
