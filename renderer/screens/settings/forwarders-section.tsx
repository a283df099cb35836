import { useState } from 'react';
import { forwarder, forwarderNames, type ForwarderName } from '../../../shared/callbacks/forwarders.ts';
import { SelectBox } from '../../components/controls/select.tsx';
import { CodeBlock } from '../../components/display/code-block.tsx';
import { useText } from '../../i18n/text.ts';
import { useReceiverAddress } from './receiver/use-receiver-address.ts';

const names: Readonly<Record<ForwarderName, string>> = {
  nginx: 'nginx',
  caddy: 'Caddy',
  ssh: 'SSH',
  php: 'PHP',
  node: 'Node.js',
};

/** Configurations for a machine that the gateway can reach, with this receiver's address filled in. */
export const Forwarders = () => {
  const t = useText();
  const [name, setName] = useState<ForwarderName>('nginx');
  const { address, options, choose } = useReceiverAddress();
  return (
    <section className="panel stack" aria-label={t('forward.name')}>
      <header className="stack tight">
        <h2>{t('forward.name')}</h2>
        <p className="small muted">{t('forward.text')}</p>
      </header>
      {address === undefined ? (
        <p className="small quiet">{t('forward.none')}</p>
      ) : (
        <>
          <div className="pair">
            <SelectBox
              label={t('forward.with')}
              options={forwarderNames.map(id => ({ id, name: names[id], detail: t(`forward.${id}`) }))}
              value={name}
              onChange={setName}
            />
            <SelectBox label={t('profile')} options={options} value={address.profileId} onChange={choose} />
          </div>
          <CodeBlock name={names[name]} text={forwarder(name, address.url)} exact />
        </>
      )}
    </section>
  );
};
