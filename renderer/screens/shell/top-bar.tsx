import { Lock, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, Input, Link, SearchField, Tooltip, TooltipTrigger } from 'react-aria-components';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { withoutDigitRuns } from '../../digit-runs.ts';
import { keyName } from '../../shortcuts.ts';
import { hrefOf } from '../../routes.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { go, goInPlace, useRoute } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { AgentMenu } from './agent-menu.tsx';
import { HelpMenu } from './help-menu.tsx';
import { TeamMark } from './team-mark.tsx';

/** The search box: typing filters the list, and Enter moves to the results. */
const SearchBox = () => {
  const t = useText();
  const route = useRoute(state => state.route);
  const inRoute = route.screen === 'payments' ? route.words : '';
  const [words, setWords] = useState(inRoute);
  const [seen, setSeen] = useState(inRoute);
  const [card, setCard] = useState(false);
  const timer = useRef<number | undefined>(undefined);
  if (seen !== inRoute) {
    setSeen(inRoute);
    setWords(inRoute);
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const search = (text: string): void => {
    window.clearTimeout(timer.current);
    const to = { screen: 'payments', view: 'all', words: text.trim() } as const;
    if (route.screen === 'payments') goInPlace(to);
    else go(to);
  };
  const type = (text: string): void => {
    const refused = containsCardNumber(text);
    const taken = refused ? withoutDigitRuns(text) : text;
    setCard(refused);
    setWords(taken);
    window.clearTimeout(timer.current);
    if (route.screen !== 'payments') return;
    timer.current = window.setTimeout(() => {
      // No search if the user has moved to another screen meanwhile.
      if (useRoute.getState().route.screen === 'payments') search(taken);
    }, 10);
  };
  return (
    <SearchField
      className="search"
      aria-label={t('search.name')}
      value={words}
      onChange={type}
      onSubmit={text => {
        search(text);
        // The list takes the focus once it has rows.
        window.setTimeout(() => document.querySelector<HTMLElement>('[role="grid"]')?.focus(), 60);
      }}
      onClear={() => search('')}
    >
      <Search size={14} aria-hidden="true" className="search-icon" />
      <Input className="search-input" placeholder={t('search.placeholder')} id="search" />
      {words === '' ? (
        <SingleKey>/</SingleKey>
      ) : (
        <Button className="search-clear" aria-label={t('search.clear')}>
          <X size={14} />
        </Button>
      )}
      {card ? (
        <span className="search-card" role="alert">
          {t('card-number.dropped')}
        </span>
      ) : null}
    </SearchField>
  );
};

const healthTexts = { on: 'receiver.on', off: 'receiver.off', bad: 'receiver.bad' } as const;

/** Search, help, and the signed-in agent. */
export const TopBar = ({ onShortcuts, onPalette }: { onShortcuts: () => void; onPalette: () => void }) => {
  const t = useText();
  const signOut = useAgents(state => state.signOut);
  const receiver = useAppState(state => state.appState?.receiver ?? null);
  const health =
    receiver === null ? 'off' : receiver.problem !== null ? 'bad' : receiver.listening ? 'on' : 'off';
  return (
    <header className="top-bar">
      <div className="top-bar-in">
        <SearchBox />
        <Button className="button quiet top-command" onPress={onPalette}>
          {t('palette.name')}
          <kbd className="keys" aria-hidden="true">
            {keyName('Ctrl', t)} K
          </kbd>
        </Button>
        <span className="push" />
        <TooltipTrigger delay={400}>
          <Link
            className={`health ${health}`}
            href={hrefOf({ screen: 'settings', section: 'receiver', id: null })}
          >
            <span className="health-dot" aria-hidden="true" />
            {t(healthTexts[health])}
          </Link>
          <Tooltip className="tooltip" offset={6}>
            {t('receiver.tooltip')}
          </Tooltip>
        </TooltipTrigger>
        <TeamMark />
        <HelpMenu onShortcuts={onShortcuts} />
        <AgentMenu />
        <IconButton name={t('agent.lock')} icon={<Lock size={16} />} onPress={() => void signOut()} />
      </div>
    </header>
  );
};
