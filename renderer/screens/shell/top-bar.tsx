import { Lock } from 'lucide-react';
import { Link, Tooltip, TooltipTrigger } from 'react-aria-components';
import { IconButton } from '../../components/controls/button.tsx';
import { hrefOf } from '../../routes.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { AlertsButton } from '../alerts/alerts-on-demand.ts';
import { SearchBox } from '../search/search-box.tsx';
import { AgentMenu } from './agent-menu.tsx';
import { HelpMenu } from './help/help-menu.tsx';
import { ListMark } from './list-mark.tsx';
import { TeamMark } from './team-mark.tsx';

const healthTexts = { on: 'receiver.on', off: 'receiver.off', bad: 'receiver.bad' } as const;

/** Search, help, and the signed-in agent. */
export const TopBar = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText();
  const signOut = useAgents(state => state.signOut);
  const receiver = useAppState(state => state.appState?.receiver ?? null);
  const health =
    receiver === null ? 'off' : receiver.problem !== null ? 'bad' : receiver.listening ? 'on' : 'off';
  return (
    <header className="top-bar">
      <div className="top-bar-in line">
        <SearchBox onShortcuts={onShortcuts} />
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
        <ListMark />
        <TeamMark />
        <AlertsButton />
        <HelpMenu onShortcuts={onShortcuts} />
        <AgentMenu />
        <IconButton name={t('agent.lock')} icon={<Lock size={16} />} onPress={() => void signOut()} />
      </div>
    </header>
  );
};
