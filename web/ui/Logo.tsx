/** The logo: a reel whose hub is a keyhole. */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M16 1.5a14.5 14.5 0 1 0 0 29 14.5 14.5 0 0 0 0-29Zm0 9.2a4.2 4.2 0 0 1 2 7.9l1.3 4.6a.8.8 0 0 1-.8 1h-5a.8.8 0 0 1-.8-1l1.3-4.6a4.2 4.2 0 0 1 2-7.9ZM16 4a2.4 2.4 0 1 1 0 4.8A2.4 2.4 0 0 1 16 4ZM6.2 10.6a2.4 2.4 0 1 1 2.4 4.1 2.4 2.4 0 0 1-2.4-4.1Zm19.6 0a2.4 2.4 0 1 1-2.4 4.1 2.4 2.4 0 0 1 2.4-4.1ZM7.1 20a2.4 2.4 0 1 1 2.4 4.2A2.4 2.4 0 0 1 7.1 20Zm17.8 0a2.4 2.4 0 1 1-2.4 4.2 2.4 2.4 0 0 1 2.4-4.2Z"
    />
  </svg>
);
