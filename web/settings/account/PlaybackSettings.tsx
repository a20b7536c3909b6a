import { Trans, useLingui } from '@lingui/react/macro';
import { AutoplayDelay } from '#web/player/queue/AutoplayDelay.tsx';
import { captionBackgroundNames, captionColorNames } from '#web/player/captions/caption-names.ts';
import { segmentKinds } from '#web/player/segments/segment-names.ts';
import { skipModeOf } from '#web/player/segments/segments.ts';
import {
  captionBackgrounds,
  captionColours,
  captionSizes,
  setPreferences,
  shortcutScopes,
  skipModes,
  usePreferences,
  type SkipMode,
} from '#web/player/state/player-preferences.ts';
import { percentText } from '#web/format/numbers.ts';
import { Select } from '#web/ui/Field.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { FieldColumns } from '#web/setting-fields/FieldColumns.tsx';

/** Player preferences of this browser. */
export function PlaybackSettings() {
  const { t } = useLingui();
  const keys = usePreferences((state) => state.keys);
  const size = usePreferences((state) => state.captionSize);
  const color = usePreferences((state) => state.captionColour);
  const background = usePreferences((state) => state.captionGround);
  const skips = usePreferences((state) => state.skips);
  const scopes = { everywhere: t`Everywhere on the page`, player: t`Only while the player is focused`, off: t`Off` };
  const modes = { auto: t`Skip`, ask: t`Ask`, mark: t`Mark only`, off: t`Ignore` };
  return (
    <Cards>
      <Section id="playback" title={t`Playback`} text={<Trans>Saved automatically, in this browser.</Trans>}>
        <FieldColumns>
          <FieldAnchor id="autoplay">
            <AutoplayDelay />
          </FieldAnchor>
          <FieldAnchor id="keys">
            <Select
              label={t`Single-key shortcuts`}
              choices={shortcutScopes.map((value) => ({ value, label: scopes[value] }))}
              value={keys}
              onChange={({ target }) => setPreferences({ keys: target.value as typeof keys })}
            />
          </FieldAnchor>
          <FieldAnchor id="caption-size">
            <Select
              label={t`Caption size`}
              choices={captionSizes.map((one) => ({ value: String(one), label: percentText(one / 100) }))}
              value={String(size)}
              onChange={({ target }) => setPreferences({ captionSize: Number(target.value) })}
            />
          </FieldAnchor>
          <FieldAnchor id="caption-color">
            <Select
              label={t`Caption color`}
              choices={captionColours.map((value, index) => ({ value, label: t(captionColorNames[index]!) }))}
              value={color}
              onChange={({ target }) => setPreferences({ captionColour: target.value })}
            />
          </FieldAnchor>
          <FieldAnchor id="caption-background">
            <Select
              label={t`Caption background`}
              choices={captionBackgrounds.map((value, index) => ({ value, label: t(captionBackgroundNames[index]!) }))}
              value={background}
              onChange={({ target }) => setPreferences({ captionGround: target.value })}
            />
          </FieldAnchor>
        </FieldColumns>
      </Section>
      <Section
        id="segments"
        title={t`SponsorBlock segments`}
        text={<Trans>What the player does with each kind of segment.</Trans>}
      >
        <FieldColumns>
          {Object.entries(segmentKinds).map(([category, { name }]) => (
            <Select
              key={category}
              label={t(name)}
              choices={skipModes.map((value) => ({ value, label: modes[value] }))}
              value={skipModeOf(category, skips)}
              onChange={({ target }) => setPreferences({ skips: { ...skips, [category]: target.value as SkipMode } })}
            />
          ))}
        </FieldColumns>
      </Section>
    </Cards>
  );
}
