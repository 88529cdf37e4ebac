package dev.millrace.backends.embedded;

/**
 * Size of a policy.
 *
 * @param vocabulary number of token ids
 * @param width size of a token's hidden state; a multiple of {@code heads}
 * @param layers transformer blocks
 * @param heads attention heads of a block
 */
public record ModelShape(int vocabulary, int width, int layers, int heads) {
    /** About 130,000 weights: learns the example tasks on one core within minutes. */
    public static ModelShape standard() {
        return new ModelShape(TurnRenderer.vocabularySize(), 64, 2, 4);
    }

    /** Refuses shapes that can't be. */
    public ModelShape {
        if (vocabulary < 1 || layers < 1 || heads < 1 || width < heads || width % heads != 0) {
            throw new IllegalArgumentException(
                    "No such model: vocabulary "
                            + vocabulary
                            + ", width "
                            + width
                            + ", layers "
                            + layers
                            + ", heads "
                            + heads
                            + ". The width must be a multiple of the heads.");
        }
    }

    int headWidth() {
        return width / heads;
    }

    int feedForwardWidth() {
        return 4 * width;
    }

    /**
     * How fast a head's attention falls with distance, per token (ALiBi, Press et al. 2022). The
     * first head sees all distances alike, the last one little but its neighbours.
     */
    float slope(int head) {
        return head == 0 ? 0f : (float) (0.8 * Math.pow(6.5, head - heads + 1));
    }
}
