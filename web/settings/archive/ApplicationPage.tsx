import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Settings } from '#contract/settings.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { WatchedRuleButton } from '#web/video/cleanup/WatchedRuleButton.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { FieldColumns } from '#web/setting-fields/FieldColumns.tsx';
import { ApiToken } from '../account/ApiToken.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { findPage, type SettingKeys } from '#web/settings-pages/settings-pages.ts';
import { FormatProblem } from './FormatProblem.tsx';
import { LoginCookie } from './LoginCookie.tsx';
import { Membership } from './Membership.tsx';
import { SettingField } from './SettingField.tsx';
import { Ytdlp } from './Ytdlp.tsx';

const PoToken = lazyComponent(async () => (await import('./PoToken.tsx')).PoToken);
const PoTokenTest = lazyComponent(async () => (await import('./PoTokenTest.tsx')).PoTokenTest);

function Fields({ keys, all }: { keys: SettingKeys; all: Settings }) {
  return (
    <FieldColumns>
      {Object.entries(keys).flatMap(([section, names]) =>
        names.map((name) => <SettingField key={name} section={section as keyof Settings} name={name} all={all} />),
      )}
    </FieldColumns>
  );
}

/** Content of a section above its plain settings. */
function ExtraContent({ id }: { id: string }) {
  const { t } = useLingui();
  if (id === 'cookie') return <LoginCookie />;
  if (id === 'format') return <FormatProblem />;
  if (id === 'membership') return <Membership />;
  if (id === 'ytdlp') return <Ytdlp />;
  if (id === 'cleanup')
    return (
      <ActionRow>
        <WatchedRuleButton label={t`Edit with preview…`} />
      </ActionRow>
    );
  if (id === 'snapshots')
    return (
      <Muted>
        <Trans>
          One per day, kept for 30 days. <Link to="/settings/actions/backup/#snapshots">All snapshots</Link>
        </Trans>
      </Muted>
    );
  return null;
}

interface Props {
  path: string;
  /** Content of sections above their plain settings, by the id of the section. */
  extra?: Record<string, ReactNode>;
  /** The same, below them. */
  below?: Record<string, ReactNode>;
}

/** A page of application settings, rendered from the table the server validates with (`contract/settings.ts`). */
export function ApplicationPage({ path, extra = {}, below = {} }: Props) {
  const { t } = useLingui();
  const query = useQuery(settingsQuery);
  return (
    <QueryBoundary query={query} skeleton={400}>
      {(all) => (
        <Cards>
          {findPage(path)!.page.sections.map(({ id, title, text, keys }) =>
            id === 'api-token' ? (
              <ApiToken key={id} />
            ) : (
              <Section key={id} id={id} title={t(title)} {...(text && { text: t(text) })}>
                {extra[id] ?? <ExtraContent id={id} />}
                {keys && <Fields keys={keys} all={all} />}
                {below[id]}
                {id === 'po-tokens' && (
                  <>
                    <PoTokenTest isOff={all.downloads.po_tokens === 'never'} />
                    <PoToken isStored={all.downloads.potoken} />
                  </>
                )}
              </Section>
            ),
          )}
        </Cards>
      )}
    </QueryBoundary>
  );
}
