import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useConfig, useSaveConfig } from '#web/api/account.ts';
import { smartLists } from '#web/api/queries/all-smart-lists.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { sectionTitles } from './section-titles.ts';
import styles from './Home.module.css';

/** Most sections of a user; more are rejected by the server. */
const maxSections = 30;

/** The sections with their switches. Rows stay where they are when they are switched off, so that the next click hits its target. */
function Choices({ names, initial }: { names: Map<string, string>; initial: string[] }) {
  const { t } = useLingui();
  const save = useSaveConfig();
  const [chosen, setChosen] = useState(new Set(initial));
  const [order, setOrder] = useState([...initial, ...[...names.keys()].filter((section) => !initial.includes(section))]);
  const change = (nextOrder: string[], nextChosen: Set<string>) => {
    setOrder(nextOrder);
    setChosen(nextChosen);
    save.mutate({ home_sections: nextOrder.filter((section) => nextChosen.has(section)) });
  };
  const toggle = (section: string, isOn: boolean) =>
    change(order, new Set(isOn ? [...chosen, section] : [...chosen].filter((one) => one !== section)));
  const move = (index: number, step: 1 | -1) =>
    change(order.with(index, order[index + step]!).with(index + step, order[index]!), chosen);
  return (
    <ul className={styles.choices}>
      {order.map((section, index) => {
        const name = names.get(section)!;
        const isOn = chosen.has(section);
        return (
          <li key={section}>
            <Switch
              label={name}
              isOn={isOn}
              disabled={!isOn && chosen.size >= maxSections}
              onChange={(on) => toggle(section, on)}
            />
            <IconButton label={t`Move up: ${name}`} title={t`Move up`} disabled={index === 0} onClick={() => move(index, -1)}>
              <IconArrowUp aria-hidden />
            </IconButton>
            <IconButton
              label={t`Move down: ${name}`}
              title={t`Move down`}
              disabled={index === order.length - 1}
              onClick={() => move(index, 1)}
            >
              <IconArrowDown aria-hidden />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}

/** Dialog that chooses the sections of the home page and their order. Changes are saved at once. */
export function SectionChoice({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const config = useConfig();
  const { data: lists } = useQuery(smartLists);
  if (!config || !lists) return null;
  const names = new Map<string, string>([
    ...Object.entries(sectionTitles).map(([section, title]) => [section, t(title)] as const),
    ...lists.map(({ id, name }) => [`list:${id}`, name] as const),
  ]);
  return (
    <Dialog title={t`Customize home page`} onClose={onClose}>
      <p className={styles.hint}>
        <Trans>Sections appear above your recent videos while they have something to show. Saved automatically.</Trans>
      </p>
      {/* Smart lists may have been deleted since they were chosen. */}
      <Choices names={names} initial={config.home_sections.filter((section) => names.has(section))} />
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
