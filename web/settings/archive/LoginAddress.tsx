import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '#web/api/queries/node.ts';
import { SelectSetting } from '#web/setting-fields/ChoiceSetting.tsx';

/** Which servers use the cookies, if they reach the sites from several network addresses. */
export function LoginAddress({ saved }: { saved: string | null }) {
  const { t } = useLingui();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const addresses = new Set([saved ?? '', ...nodes.filter(({ role }) => role !== 'web').map(({ egress }) => egress)]);
  if (addresses.size < 2) return null;
  return (
    <SelectSetting
      section="queue"
      name="login_egress"
      saved={saved}
      choices={[...addresses].sort().map((address) => ({ value: address, label: address || t`Servers without a named address` }))}
    />
  );
}
