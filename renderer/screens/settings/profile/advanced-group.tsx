import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';

/** A group of settings on one line, with its present value; it opens to its fields, and if one of them has a problem. */
export const AdvancedGroup = ({
  title,
  value,
  differs,
  hasProblem,
  isSought,
  children,
}: {
  title: string;
  value: string;
  differs: boolean;
  hasProblem: boolean;
  /** It opens. */
  isSought: boolean;
  children: ReactNode;
}) => {
  const [isOpen, setIsOpen] = useState(isSought);
  const [wasSought, setWasSought] = useState(isSought);
  if (isSought !== wasSought) {
    setWasSought(isSought);
    setIsOpen(isOpen || isSought);
  }
  return (
    <Disclosure
      className="advanced-group line-above"
      isExpanded={isOpen || hasProblem}
      onExpandedChange={setIsOpen}
    >
      <Heading level={4}>
        <Button
          slot="trigger"
          className="advanced-group-button tracks gap-4 middle full no-border small regular text-start pointer hovers focus-inside"
        >
          <span className="muted">{title}</span>
          <span className={differs ? 'advanced-value anywhere differs' : 'advanced-value anywhere'}>
            {value}
          </span>
          <ChevronRight size={16} aria-hidden="true" className="entry-chevron" />
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="stack advanced-fields">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  );
};
