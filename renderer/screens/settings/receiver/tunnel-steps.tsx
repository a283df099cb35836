import '../../../styles/screens/receiver.css';
import { useState } from 'react';
import {
  isServerName,
  recipeServers,
  tunnelRecipe,
  type RecipeServer,
} from '../../../../shared/callbacks/tunnel-recipe.ts';
import { SegmentedControl } from '../../../components/controls/segmented-control.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { CodeBlock } from '../../../components/display/code-block.tsx';
import { useText } from '../../../i18n/text.ts';
import { OutsideTest } from './outside-test.tsx';
import { PathPicture } from './path-picture.tsx';
import { useReceiverAddress } from './use-receiver-address.ts';

const names: Readonly<Record<RecipeServer, string>> = { caddy: 'Caddy', nginx: 'nginx' };
const sampleName = 'shop.example.com';

/** The whole recipe for a computer without a public address, and the test of its result. */
export const TunnelRecipe = () => {
  const t = useText();
  const [server, setServer] = useState<RecipeServer>('caddy');
  const [typed, setTyped] = useState('');
  const { address, options, choose } = useReceiverAddress();
  const name = typed.trim().toLowerCase();
  const isUsable = isServerName(name);
  const hostName = isUsable ? name : sampleName;
  return (
    <>
      <section className="panel stack" aria-label={t('recipe.name')}>
        <header className="stack tight">
          <h2>{t('recipe.name')}</h2>
          <p className="small muted measure">{t('recipe.text', { server: names[server] })}</p>
        </header>
        <PathPicture server={names[server]} hostName={hostName} />
        {address === undefined ? (
          <p className="small quiet">{t('forward.none')}</p>
        ) : (
          <>
            <div className="pair">
              <TextBox
                label={t('recipe.host')}
                placeholder={sampleName}
                value={typed}
                onChange={setTyped}
                problem={typed === '' || isUsable ? null : t('recipe.host.problem')}
                inputClass="code"
                autoComplete="off"
              />
              {options.length > 1 ? (
                <SelectBox
                  label={t('profile')}
                  options={options}
                  value={address.profileId}
                  onChange={choose}
                />
              ) : null}
            </div>
            <SegmentedControl
              label={t('recipe.with')}
              options={recipeServers.map(id => ({ id, name: names[id] }))}
              value={server}
              onChange={setServer}
            />
            <ol className="recipe stack">
              {tunnelRecipe(server, address.url, hostName).map(({ id, at, text }) => (
                <li key={id} className="stack tight">
                  <h3>
                    {t(`recipe.${id}`)} <span className="tag">{t(`recipe.on.${at}`)}</span>
                  </h3>
                  <p className="small muted measure">{t(`recipe.${id}.text`, { server })}</p>
                  <CodeBlock name={t(`recipe.${id}`)} text={text} exact />
                </li>
              ))}
            </ol>
          </>
        )}
      </section>
      {address === undefined ? null : (
        <OutsideTest key={address.profileId} profileId={address.profileId} name={isUsable ? name : ''} />
      )}
    </>
  );
};
