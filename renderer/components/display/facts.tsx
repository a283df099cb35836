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
