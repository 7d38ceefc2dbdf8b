import { LinkButton } from '../ui/link-button.tsx';

/** For a visitor who needs an account to go on at `redirect`. */
export const AccountButtons = ({ redirect }: { redirect: string }) => (
  <>
    <LinkButton to="/register" search={{ redirect }} size="lg" block>
      Create an Account
    </LinkButton>
    <LinkButton to="/login" search={{ redirect }} variant="secondary" size="lg" block>
      Sign In
    </LinkButton>
  </>
);
