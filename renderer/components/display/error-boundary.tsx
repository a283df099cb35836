import { Component, type ReactNode } from 'react';
import { msg } from '../../../shared/messages/message.ts';
import { reportError } from '../../report-error.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../controls/button.tsx';
import { ErrorNote } from './notes.tsx';

const FailedScreen = ({ reference, onRetry }: { reference: string | null; onRetry: () => void }) => {
  const t = useText();
  const details = reference === null ? {} : { details: { reference } };
  return (
    <ErrorNote error={{ code: 'internal', message: msg('error.internal'), ...details }}>
      <Button variant="primary" onPress={onRetry}>
        {t('error.show-again')}
      </Button>
    </ErrorNote>
  );
};

type State = { location: unknown; hasFailed: boolean; reference: string | null };

/** `location`: the current screen; another one is rendered even after the previous one failed. */
type Props = { location: unknown; children: ReactNode };

/** Reports a screen that fails to render and shows an error in its place; the rest of the window stays. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, hasFailed: false, reference: null };

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { location, hasFailed: false, reference: null };
  }
  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true, reference: null };
  }
  override componentDidCatch(thrown: unknown): void {
    void reportError('render', thrown).then(reference => this.setState({ reference }));
  }
  override render(): ReactNode {
    const { hasFailed, reference } = this.state;
    if (!hasFailed) return this.props.children;
    return (
      <FailedScreen
        reference={reference}
        onRetry={() => this.setState({ hasFailed: false, reference: null })}
      />
    );
  }
}
