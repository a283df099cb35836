import { useEffect, useRef, type ComponentProps, type ReactNode, type RefObject, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import type { AppError, Result } from '../../shared/errors.ts';
import { Button } from '../components/controls/button.tsx';
import { ErrorNote } from '../components/display/notes.tsx';
import { useMessage, useText } from '../i18n/text.ts';

/**
 * What a form or a panel asks of main, one request at a time: which one is running, and what kept the last one from
 * being done. A request that comes while another one runs is not sent.
 */
export const useTask = <Name extends string = never>() => {
  const say = useMessage();
  const [busy, setBusy] = useState<Name | 'send' | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  const run = async <T,>(
    name: Name | 'send',
    request: () => Promise<Result<T>>,
    onDone: (value: T) => unknown = () => null,
  ): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    setProblem(null);
    const answer = await request();
    setBusy(null);
    if (answer.ok) onDone(answer.value);
    else setProblem(answer.error);
  };
  return {
    busy,
    isBusy: busy !== null,
    problem,
    setProblem,
    /** Sends `request`; its value goes to `onDone`. The earlier problem is gone at once. */
    run,
    /** The same of a form or a panel that has one request. */
    send: <T,>(request: () => Promise<Result<T>>, onDone?: (value: T) => unknown) =>
      run('send', request, onDone),
    /** Main's problem with a field, by its path. */
    problemOf: (...paths: readonly string[]): string | null => {
      const found = problem?.fields?.find(({ path }) => paths.includes(path));
      return found ? say(found.message) : null;
    },
  };
};

/**
 * A form whose fields show their own problems. `onSubmit`: by its button, by Enter, and by Ctrl+Enter in any control.
 * `around`: a selector of what contains it and further controls of the same form.
 */
export const Form = ({
  label,
  className = 'stack',
  element,
  around,
  onSubmit,
  children,
}: {
  around?: string;
  label?: string;
  className?: string;
  element?: RefObject<HTMLFormElement | null>;
  onSubmit: () => unknown;
  children: ReactNode;
}) => {
  const own = useRef<HTMLFormElement>(null);
  const form = element ?? own;
  useEffect(() => {
    const { current } = form;
    const place = around === undefined ? current : current?.closest<HTMLElement>(around);
    // Switches and lists keep their key presses to themselves.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      current?.requestSubmit();
    };
    place?.addEventListener('keydown', onKey, true);
    return () => place?.removeEventListener('keydown', onKey, true);
  }, [form, around]);
  return (
    <AriaForm
      className={className}
      {...(label === undefined ? {} : { 'aria-label': label })}
      validationBehavior="aria"
      ref={form}
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </AriaForm>
  );
};

type Submit<Button> = Button extends unknown ? Omit<Button, 'children' | 'type'> : never;

/**
 * The end of a form: what kept it from being sent, and the button that sends it, with the properties of a button.
 * Further buttons are before it at the end of the line, and after it at the start.
 */
export const FormFoot = ({
  problem = null,
  name,
  line = 'line end',
  onCancel,
  children,
  ...button
}: Submit<ComponentProps<typeof Button>> & {
  /** Null for a problem that a field shows. */
  problem?: AppError | null;
  name: ReactNode;
  /** The class of the line. */
  line?: string;
  /** Of a sheet: closes it. */
  onCancel?: () => void;
  children?: ReactNode;
}) => {
  const t = useText();
  const isAtEnd = line.includes('end');
  const note = useRef<HTMLDivElement>(null);
  // The form may have been sent by keys from another part of it.
  useEffect(() => {
    if (problem !== null) note.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  const told = problem ? (
    <div ref={note}>
      <ErrorNote error={problem} />
    </div>
  ) : null;
  return (
    <>
      {isAtEnd ? told : null}
      <div className={line}>
        {isAtEnd ? children : null}
        {onCancel && <Button onPress={onCancel}>{t('cancel')}</Button>}
        <Button variant="primary" {...button} type="submit">
          {name}
        </Button>
        {isAtEnd ? null : children}
      </div>
      {/* Below, so that the button does not move under the pointer. */}
      {isAtEnd ? null : told}
    </>
  );
};
