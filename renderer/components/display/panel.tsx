import type { ReactNode } from 'react';

/** One fact of a list: its name and its value. `className`: of the value. */
export const Fact = ({
  name,
  className,
  children,
}: {
  name: ReactNode;
  className?: string;
  children: ReactNode;
}) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd className={className}>{children}</dd>
  </div>
);

/** A panel under its title, which names it too. */
export const Panel = ({
  title,
  className = '',
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) => (
  <section className={`panel ${className}`} aria-label={title}>
    <header>
      <h2>{title}</h2>
    </header>
    {children}
  </section>
);

/** What a panel of the settings is for, under its title. `children`: the buttons beside both. */
export const Purpose = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => {
  const words = (
    <div className="measure">
      <h2>{title}</h2>
      <p className="small muted">{text}</p>
    </div>
  );
  return children === undefined ? (
    words
  ) : (
    <div className="line spread wrap">
      {words}
      {children}
    </div>
  );
};
