import './switch.css';

export interface SwitchProps {
  /** The accessible name: what it switches. */
  readonly label: string;
  readonly isOn: boolean;
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, isOn, isBusy = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy || undefined}
      title={label}
      onClick={() => onChange(!isOn)}
    >
      <span class="knob" aria-hidden="true" />
    </button>
  );
}
