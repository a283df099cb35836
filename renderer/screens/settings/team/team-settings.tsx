import { Purpose, Fact } from '../../../components/display/panel.tsx';
import { useState, useEffect } from 'react';
import { sharedLogName } from '../../../../shared/team/shared-log-server.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Note, ErrorNote } from '../../../components/display/notes.tsx';
import { useText, useMessage } from '../../../i18n/text.ts';
import { useManaged } from '../../../use-rights.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { SharingSection } from './sharing-section.tsx';
import { LogOut, ShieldCheck } from 'lucide-react';
import { needsNewChain } from '../../../../shared/team/team-standing.ts';
import type { RequestOutput, TeamStanding } from '../../../../shared/contract/contract.ts';
import { placeInWords } from '../../../../shared/messages/problem-place.ts';
import { ConfirmDialog } from '../../../components/controls/dialog.tsx';
import { Progress } from '../../../components/display/progress.tsx';
import { useTask, Form } from '../../../forms/form.tsx';
import { request, subscribe } from '../../../ipc-client.ts';
import { missingOfOthers } from '../../../../shared/team/missing-of-others.ts';
import { SecretBox } from '../../../components/controls/fields.tsx';
import { HealthStep } from '../health-step.tsx';

/** Joins a shared payment log in two steps: check the server of a joining text, then join. */
const JoinForm = ({ onJoined }: { onJoined: () => void }) => {
  const t = useText();
  const open = useAppState(state => state.open);
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<RequestOutput<'team.check'> | null>(null);
  const { busy, problem, problemOf, run } = useTask<'check' | 'join'>();
  const textProblem = problemOf('text');

  const check = (): Promise<void> => {
    setChecked(null);
    return run('check', () => request('team.check', { text }), setChecked);
  };
  const join = (): Promise<void> =>
    run(
      'join',
      () => request('team.join', { text }),
      joined => {
        setText('');
        setChecked(null);
        open(joined);
        onJoined();
      },
    );

  return (
    <Form onSubmit={() => void (checked?.canJoin ? join() : check())}>
      <SecretBox
        label={t('team.join.text')}
        name="joining-text"
        value={text}
        onChange={next => {
          setText(next);
          setChecked(null);
        }}
        hint={t('team.join.text.hint')}
        problem={textProblem}
        placeholder="counterfoil-join-1.…"
        isRequired
      />
      <output className="stack">
        {checked === null ? null : (
          <>
            <ol>
              {checked.steps.map(({ name, ...step }) => (
                <HealthStep key={name} title={t(`team.check.${name}`)} {...step} />
              ))}
            </ol>
            <p className="small measure break">
              {checked.canJoin ? t('team.join.ready', { server: checked.server }) : t('team.join.not-ready')}
            </p>
          </>
        )}
      </output>
      {problem !== null && textProblem === null ? <ErrorNote error={problem} /> : null}
      <div className="line wrap">
        {checked?.canJoin ? (
          <Button type="submit" variant="primary" isPending={busy === 'join'}>
            {t('team.join.join')}
          </Button>
        ) : null}
        <Button
          type={checked?.canJoin ? 'button' : 'submit'}
          isPending={busy === 'check'}
          isDisabled={text.trim() === ''}
          {...(checked?.canJoin ? { onPress: () => void check() } : {})}
        >
          {t('team.join.check')}
        </Button>
      </div>
    </Form>
  );
};

/** Difference between the clocks from which it is shown. */
const shownOffsetMs = 2_000;

const State = ({ team: { state, since: at, events, waiting: count } }: { team: TeamStanding }) => {
  const t = useText();
  switch (state) {
    case 'connected':
      return <p className="small">{t('team.standing.connected')}</p>;
    case 'catching-up':
      return <Progress name={t('team.progress')} done={events - count} total={events} />;
    case 'unreachable':
      return <p className="small">{t('team.standing.unreachable', { at, count })}</p>;
    case 'refused':
      return <p className="small">{t('team.standing.refused', { count })}</p>;
    default:
      return state satisfies never;
  }
};

const Report = ({ verified: { isComplete, report } }: { verified: RequestOutput<'team.verify'> }) => {
  const t = useText();
  const say = useMessage();
  const { events: count, problems } = report;
  if (problems.length === 0)
    return <p className="small">{t(isComplete ? 'team.verify.good' : 'team.verify.waiting', { count })}</p>;
  return (
    <Note tone="warning">
      <p>{t('team.verify.problems', { count: problems.length })}</p>
      <ul className="problem-list">
        {problems.slice(0, 20).map(({ at, message }) => (
          <li key={`${JSON.stringify(at)} ${message.key}`} className="break">
            {say(placeInWords(at))}: {say(message)}
          </li>
        ))}
      </ul>
    </Note>
  );
};

/** The shared payment log of this installation: its state, verification, and the way out. */
const Joined = ({ team }: { team: TeamStanding }) => {
  const t = useText();
  const open = useAppState(state => state.open);
  const recordedAhead = useAppState(state => state.appState?.log.recordedAhead ?? null);
  const isSharing = useAppState(state => (state.appState?.sharing ?? null) !== null);
  const say = useMessage();
  const { isFixed } = useManaged().sharedLog;
  const leftOut = team.others?.leftOut ?? [];
  const labelOf = (writer: string): string =>
    team.installations.find(one => one.writer === writer)?.label ?? writer;
  const { busy, problem, run } = useTask<'verify' | 'leave' | 'begin'>();
  const [isAsked, setAsked] = useState(false);
  const [verified, setVerified] = useState<RequestOutput<'team.verify'> | null>(null);
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  useEffect(
    () =>
      subscribe('log.progress', ({ job, done, total }) => {
        if (job === 'shared-log') setProgress({ done, total });
      }),
    [],
  );

  const verify = (): Promise<void> => {
    setVerified(null);
    setProgress({ done: 0, total: 0 });
    return run('verify', () => request('team.verify', {}), setVerified);
  };
  const beginChain = (): Promise<void> => run('begin', () => request('team.beginChain', {}), open);
  const leave = async (): Promise<void> => {
    await run('leave', () => request('team.leave', {}), open);
    setAsked(false);
  };

  const missing = missingOfOthers(team);
  const problemHere = team.others?.problem ?? null;
  // A server that cannot be reached is the problem above already.
  const othersProblem = problemHere?.code === team.problem?.code ? null : problemHere;

  return (
    <div className="stack">
      <dl className="facts wide-facts">
        <Fact name={t('team.server')} className="code break">
          {team.server}
        </Fact>
        <Fact name={t('team.account')} className="code break">
          {team.role}
        </Fact>
        <Fact name={t('team.standing')}>
          <State team={team} />
        </Fact>
        {team.others === null ? null : (
          <Fact name={t('team.others.title')}>
            {missing.length > 0 ? missing.map(one => say(one)).join(' ') : t('team.others.level')}
          </Fact>
        )}
      </dl>
      {team.problem ? <ErrorNote error={team.problem} /> : null}
      {othersProblem ? <ErrorNote error={othersProblem} /> : null}
      {team.broken.length > 0 ? (
        <Note tone="warning">
          <p>{t('team.broken')}</p>
          <ul className="problem-list">
            {team.broken.map(({ writer, from, to, how }) => {
              const installation = labelOf(writer);
              return (
                <li key={writer}>
                  {how === 'gone'
                    ? t('team.broken.gone', { installation, from, to })
                    : t('team.broken.rebuilt', { installation, to })}
                </li>
              );
            })}
          </ul>
        </Note>
      ) : null}
      {leftOut.length > 0 ? (
        <Note tone="warning">
          <p>{t('team.left-out', { count: leftOut.reduce((sum, { events }) => sum + events, 0) })}</p>
          <ul className="problem-list">
            {leftOut.map(({ writer, problem: kind, events: count }) => (
              <li key={`${writer} ${kind}`}>
                {t(`team.left-out.${kind}`, { installation: labelOf(writer), count })}
              </li>
            ))}
          </ul>
        </Note>
      ) : null}
      {team.unconfirmed.length > 0 ? (
        <Note>
          <p>{t('team.unconfirmed', { count: team.unconfirmed.length })}</p>
          <ul className="problem-list">
            {team.unconfirmed.map(({ writer, label, since }) => (
              <li key={writer}>{t('team.unconfirmed.since', { installation: label, since })}</li>
            ))}
          </ul>
        </Note>
      ) : null}
      {Math.abs(team.clockOffsetMs ?? 0) > shownOffsetMs ? (
        <Note tone="warning">
          {t('team.clock-off', { seconds: Math.round((team.clockOffsetMs ?? 0) / 1_000) })}
        </Note>
      ) : null}
      {recordedAhead === null ? null : (
        <Note tone="warning">{t('team.recorded-ahead', { at: recordedAhead })}</Note>
      )}
      {needsNewChain(team.problem) ? (
        <div className="stack tight">
          <p className="small measure">
            {t(team.problem?.code === 'log.fork' ? 'team.begin-chain.text' : 'team.begin-chain.account.text')}
          </p>
          <div className="line">
            <Button request="team.beginChain" isPending={busy === 'begin'} onPress={() => void beginChain()}>
              {t('team.begin-chain')}
            </Button>
          </div>
        </div>
      ) : null}
      {busy === 'verify' ? (
        <Progress name={t('data.verifying')} done={progress.done} total={progress.total} />
      ) : null}
      <output>{verified ? <Report verified={verified} /> : null}</output>
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line wrap">
        <Button
          request="team.verify"
          icon={ShieldCheck}
          isPending={busy === 'verify'}
          onPress={() => void verify()}
        >
          {t('team.verify')}
        </Button>
        {isFixed ? null : (
          <Button request="team.leave" icon={LogOut} onPress={() => setAsked(true)}>
            {t('team.leave')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        title={t('team.leave.title')}
        isOpen={isAsked}
        isPending={busy === 'leave'}
        confirm={t('team.leave')}
        onConfirm={() => void leave()}
        onClose={() => setAsked(false)}
      >
        <p className="measure">{t('team.leave.text')}</p>
        {isSharing ? <p className="measure">{t('team.leave.people')}</p> : null}
        {team.waiting > 0 ? (
          <p className="measure">{t('team.leave.waiting', { count: team.waiting })}</p>
        ) : null}
      </ConfirmDialog>
    </div>
  );
};

/** The payment log that several installations share: join, see whether it is connected, leave. */
export const TeamSettings = () => {
  const t = useText();
  const team = useAppState(state => state.appState?.team ?? null);
  const { isFixed, server } = useManaged().sharedLog;
  const [isJoiningAgain, setJoiningAgain] = useState(false);
  return (
    <div className="stack">
      <section className="panel stack" aria-label={t('settings.team')}>
        <Purpose title={t('settings.team')} text={t('team.text')} />
        {isFixed ? (
          <Note>
            {server === null
              ? t('team.managed.unknown')
              : t('team.managed', { server: sharedLogName(server) })}
          </Note>
        ) : null}
        {team === null ? (
          <>
            <p className="small">{t('team.alone')}</p>
            <h3>{t('team.join.title')}</h3>
            <JoinForm onJoined={() => setJoiningAgain(false)} />
          </>
        ) : (
          <>
            <Joined team={team} />
            {isJoiningAgain ? (
              <JoinForm onJoined={() => setJoiningAgain(false)} />
            ) : team.state === 'refused' ? (
              <Button request="team.join" onPress={() => setJoiningAgain(true)}>
                {t('team.join.again')}
              </Button>
            ) : null}
          </>
        )}
      </section>
      {team === null ? null : <SharingSection team={team} />}
    </div>
  );
};
