package dev.millrace.udfs.admission;

import dev.millrace.udfs.seed.PythonRandom;

/**
 * Draws as many places as there are items, each item as often as its share of the weights asks for,
 * rounded up or down, and shuffles them.
 *
 * <p>Source: systematic sampling, W. G. Madow, Annals of Mathematical Statistics 20 (1949).
 */
final class WeightedOrder {
    private WeightedOrder() {}

    /** Positions of items, one for each place. */
    static int[] draw(PythonRandom random, double[] weights) {
        int places = weights.length;
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double offset = random.random();
        int[] chosen = new int[places];
        int item = 0;
        double upTo = places == 0 ? 0 : weights[0];
        for (int place = 0; place < places; place++) {
            double mark = (place + offset) * total / places;
            while (item < places - 1 && mark >= upTo) {
                upTo += weights[++item];
            }
            chosen[place] = item;
        }
        int[] order = random.permutation(places);
        for (int place = 0; place < places; place++) {
            order[place] = chosen[order[place]];
        }
        return order;
    }
}
