import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_COMMENT_LENGTH, type Verdict } from '../../../domain/taste.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useRating } from './use-rating.ts';
import { VerdictFaces } from './verdict-faces.tsx';

export function QuestionCard() {
  const client = useQueryClient();
  const options = orpc.ratings.getQuestion.queryOptions();
  const { data: current } = useQuery(options);
  // An answered question stays, for an optional comment.
  const [previous, setPrevious] = useState<typeof current>(null);
  const question = previous ?? current;
  if (!question) return null;
  const close = () => {
    setPrevious(null);
    client.setQueryData(options.queryKey, null);
    void client.invalidateQueries({ queryKey: options.queryKey });
  };
  const dismiss = () => {
    close();
    // If this fails, the question returns at the next load, so no error is shown.
    api.ratings
      .dismiss({ id: question.pour_id })
      .catch((error: unknown) => logFailure('Dismissing a question', error));
  };
  return (
    <Question
      key={question.pour_id}
      pourId={question.pour_id}
      title={wineTitle(question.wine)}
      onAnswered={() => setPrevious(question)}
      onDone={close}
      onDismiss={dismiss}
    />
  );
}

interface QuestionProps {
  pourId: string;
  title: string;
  onAnswered: () => void;
  onDone: () => void;
  onDismiss: () => void;
}

function Question({ pourId, title, onAnswered, onDone, onDismiss }: QuestionProps) {
  const { busy, rate } = useRating(pourId);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [comment, setComment] = useState('');
  const choose = async (chosen: Verdict) => {
    onAnswered();
    if (await rate(chosen, comment)) setVerdict(chosen);
  };
  const finish = async () => {
    if (!verdict || comment.trim() === '' || (await rate(verdict, comment))) onDone();
  };
  return (
    <Card>
      <div className="mb-4 flex items-start justify-between gap-3">
        <h2 className="min-w-0 wrap-anywhere text-xl">{`What did you think of the ${title}?`}</h2>
        {!verdict && (
          <IconButton
            label="Not now"
            icon={<Icon shape="cross" />}
            className="-my-2 -mr-3 shrink-0"
            onClick={onDismiss}
          />
        )}
      </div>
      <VerdictFaces value={verdict} disabled={busy} onChoose={(chosen) => void choose(chosen)} />
      {verdict && (
        <div className="mt-4 flex flex-col items-start gap-3">
          <TextField
            label="Add a note for our staff"
            optional
            className="w-full"
            maxLength={MAX_COMMENT_LENGTH}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button busy={busy} onClick={() => void finish()}>
            Done
          </Button>
        </div>
      )}
    </Card>
  );
}
