import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShareLink } from '#contract/share.ts';
import { useIsStaff, useMayShare } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { sharesQuery } from '#web/api/queries/sharing.ts';
import { agoText, dateTimeText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';

function ShareRow({ link }: { link: ShareLink }) {
  const { t } = useLingui();
  const showToast = useToast();
  const name = link.name ?? t`Deleted or no longer shared`;
  const { owner, views, expires, state } = link;
  const revoke = useAction(() => call('DELETE /api/share/:id/', { params: { id: String(link.id) } }), {
    onSuccess: () => showToast(t`Share link of ${name} revoked.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['share'] }),
  });
  return (
    <EntryRow
      icon={<IconShare aria-hidden />}
      name={name}
      isDisabled={state !== 'active'}
      facts={
        <>
          {!link.is_own && <span>{t`by ${owner}`}</span>}
          <span>{link.type === 'video' ? t`Video` : t`Playlist`}</span>
          <span>
            <Plural value={views} _0="not opened yet" one="opened once" other="opened # times" />
          </span>
          {link.last_viewed !== null && <span>{t`last ${agoText(link.last_viewed)}`}</span>}
          {expires !== null && <span>{state === 'expired' ? t`expired` : t`until ${dateTimeText(expires)}`}</span>}
          {link.has_password && <span>{t`with password`}</span>}
          {link.download && <span>{t`with download`}</span>}
          {state === 'off' && <Badge isDanger>{t`Switched off`}</Badge>}
        </>
      }
    >
      {link.url && state === 'active' && <CopyButton text={link.url} label={t`Copy the share link of ${name}`} />}
      <Button size="s" kind="danger" aria-label={t`Revoke: ${name}`} isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        <Trans>Revoke</Trans>
      </Button>
    </EntryRow>
  );
}

/** The share links of the user; for staff, of all users. */
export function ShareLinks() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const mayShare = useMayShare();
  const [page, setPage] = useState(1);
  const query = useQuery(sharesQuery(page));
  return (
    <Section
      id="shares"
      title={t`Share links`}
      text={
        isStaff ? (
          <Trans>
            Links for people without an account, of all users. Users may create them once you allow it in their menu on the users
            page.
          </Trans>
        ) : mayShare ? (
          <Trans>Links for people without an account. Create them in the menu of a video or playlist.</Trans>
        ) : (
          <Trans>You may not share with people without an account. Ask an administrator for the permission.</Trans>
        )
      }
    >
      <QueryBoundary query={query} skeleton={80}>
        {({ data, paginate }) => (
          <>
            {data.length > 0 ? (
              <ul>
                {data.map((link) => (
                  <ShareRow key={link.id} link={link} />
                ))}
              </ul>
            ) : (
              mayShare && (
                <p>
                  <Trans>Nothing is shared.</Trans>
                </p>
              )
            )}
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
