import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { UserConfig } from '#contract/user.ts';
import type { useSaveConfig } from '#web/api/account.ts';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { Select } from '#web/ui/Field.tsx';

interface Props {
  config: UserConfig;
  save: ReturnType<typeof useSaveConfig>;
  isStaff: boolean;
}

/** Whose titles and thumbnails the user sees. */
export function CommunityChoice({ config, save, isStaff }: Props) {
  const { t } = useLingui();
  const choices = [
    { value: 'original', label: t`Of the channel` },
    { value: 'community', label: t`By viewers (DeArrow)` },
  ];
  return (
    <>
      <FieldAnchor id="titles">
        <Select
          label={t`Titles`}
          choices={choices}
          value={config.titles}
          onChange={({ target }) => save.mutate({ titles: target.value as 'original' })}
        />
      </FieldAnchor>
      <FieldAnchor id="thumbnails">
        <Select
          label={t`Thumbnails`}
          choices={choices}
          value={config.thumbnails}
          onChange={({ target }) => save.mutate({ thumbnails: target.value as 'original' })}
        />
      </FieldAnchor>
      <Muted>
        {isStaff ? (
          <Trans>
            Viewers submit better ones to DeArrow for many YouTube videos. They are fetched while{' '}
            <Link to="/settings/application/integrations/#downloads.integrate_dearrow">DeArrow is turned on</Link>.
          </Trans>
        ) : (
          <Trans>
            Viewers submit better ones to DeArrow for many YouTube videos. They are fetched while an administrator has DeArrow
            turned on.
          </Trans>
        )}
      </Muted>
    </>
  );
}
