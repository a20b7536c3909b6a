import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '#web/api/queries/node.ts';
import { Select } from '#web/ui/Field.tsx';
import { useSaveSetting, useSettingTexts } from '../fields/use-setting.ts';

/** Which servers use the cookies, if they reach the sites from several network addresses. */
export function LoginAddress({ saved }: { saved: string | null }) {
  const { t } = useLingui();
  const { label, help } = useSettingTexts('queue', 'login_egress');
  const save = useSaveSetting('queue', 'login_egress');
  const { data: nodes = [] } = useQuery(nodesQuery);
  const addresses = new Set([saved ?? '', ...nodes.filter(({ role }) => role !== 'web').map(({ egress }) => egress)]);
  if (addresses.size < 2) return null;
  return (
    <Select
      label={label}
      help={help}
      choices={[...addresses].sort().map((address) => ({ value: address, label: address || t`Servers without a named address` }))}
      value={String(save.currentValue(saved) ?? '')}
      onChange={(event) => save.mutate(event.target.value || null)}
    />
  );
}
